/* oxlint-disable typescript/no-unsafe-type-assertion -- YAML has no types: assertions here state what
   the snippets hold. */
/** The snippets of Add CI Check: their texts, and what is read from their YAML. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { projectRoot } from '../../support/paths.js';

const placeholder = '{file}';

/** Returns a snippet. `file`: the path of the check, as it stands in the snippet of a user. */
export function snippetText(name: string, file = placeholder): string {
  const text = readFileSync(join(projectRoot, 'media', 'ci', name), 'utf8');
  return text.replaceAll(placeholder, file);
}

interface GithubStep {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly if?: string;
  readonly 'continue-on-error'?: boolean;
}

export interface GithubJob {
  readonly needs?: string;
  readonly if?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly concurrency?: unknown;
  readonly steps: readonly GithubStep[];
}

interface GithubWorkflow {
  readonly on: {
    readonly schedule: readonly { readonly cron: string }[];
    readonly push: unknown;
  };
  readonly permissions: unknown;
  readonly jobs: { readonly check: GithubJob; readonly issue: GithubJob };
}

export function githubWorkflow(file?: string): GithubWorkflow {
  return load(snippetText('github.yml', file)) as GithubWorkflow;
}

/** The script of a job that has one. */
export function scriptOf({ steps }: GithubJob): string {
  return steps.find(({ run }) => run !== undefined)!.run!;
}

interface GitlabPipeline {
  readonly 'automation-platform': {
    readonly rules: readonly { readonly if: string }[];
    readonly script: readonly string[];
    readonly artifacts: { readonly when: string; readonly reports: { readonly junit: string } };
  };
}

export function gitlabJob(file?: string): GitlabPipeline['automation-platform'] {
  return (load(snippetText('gitlab.yml', file)) as GitlabPipeline)['automation-platform'];
}

interface AzureStep {
  readonly checkout?: string;
  readonly persistCredentials?: boolean;
  readonly script?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly task?: string;
  readonly condition?: string;
  readonly inputs?: Readonly<Record<string, string>>;
}

interface AzurePipeline {
  readonly trigger: unknown;
  readonly pr: unknown;
  readonly schedules: readonly {
    readonly cron: string;
    readonly branches: unknown;
    readonly always: boolean;
  }[];
  readonly jobs: readonly [{ readonly condition: string; readonly steps: readonly AzureStep[] }];
}

export function azurePipeline(file?: string): AzurePipeline {
  return load(snippetText('azure.yml', file)) as AzurePipeline;
}

interface BitbucketStep {
  readonly step: { readonly script: readonly string[] };
}

interface BitbucketPipeline {
  readonly pipelines: {
    readonly branches: Readonly<Record<string, readonly BitbucketStep[]>>;
    readonly custom: Readonly<Record<string, readonly BitbucketStep[]>>;
  };
}

export function bitbucketPipelines(file?: string): BitbucketPipeline['pipelines'] {
  return (load(snippetText('bitbucket.yml', file)) as BitbucketPipeline).pipelines;
}

/** The Jenkinsfile without its comments. */
export function jenkinsfile(file?: string): string {
  return snippetText('Jenkinsfile', file).replaceAll(/^\s*\/\/.*\n/gm, '');
}
