import * as vscode from 'vscode';
import { setTimer as realTimer } from '../../api/timers.js';
import { inTime, noAnswerError } from '../../host/inTime.js';

/** Longer than a file system that answers takes, and short for a person who waits for the list. */
const maxSearchMs = 2000;

/** A CI that can run the check. Paths are relative to the root of the repository. */
export interface CiSystem {
  /** The name of the product, which is not translated. */
  readonly name: string;
  /** Where the CI looks for its configuration: files, or a folder of files. */
  readonly configurations: readonly string[];
  /** The file in `media/ci` with the configuration that runs the check. */
  readonly snippet: string;
  /** The language of the snippet, as VS Code calls it. */
  readonly language: string;
  /** The file to save the snippet as, in a repository without a configuration. */
  readonly saveAs: string;
  /**
   * The file to save the snippet as, in a repository with a configuration. Absent if one file holds
   * all that the CI runs, so that the snippet is added to this file.
   */
  readonly saveBeside?: string;
}

/** In the order of the list that Add CI Check shows. */
export const ciSystems: readonly CiSystem[] = [
  {
    name: 'GitHub Actions',
    configurations: ['.github/workflows'],
    snippet: 'github.yml',
    language: 'yaml',
    saveAs: '.github/workflows/automation-platform.yml',
    saveBeside: '.github/workflows/automation-platform.yml',
  },
  {
    name: 'GitLab',
    configurations: ['.gitlab-ci.yml'],
    snippet: 'gitlab.yml',
    language: 'yaml',
    saveAs: '.gitlab-ci.yml',
  },
  {
    name: 'Azure Pipelines',
    configurations: ['azure-pipelines.yml', 'azure-pipelines.yaml', '.azure-pipelines.yml'],
    snippet: 'azure.yml',
    language: 'yaml',
    saveAs: 'azure-pipelines.yml',
    // Its `schedules` and `pr: none` hold for everything that is in the same file.
    saveBeside: 'azure-pipelines-automation-platform.yml',
  },
  {
    name: 'Bitbucket',
    configurations: ['bitbucket-pipelines.yml'],
    snippet: 'bitbucket.yml',
    language: 'yaml',
    saveAs: 'bitbucket-pipelines.yml',
  },
  {
    name: 'Jenkins',
    configurations: ['Jenkinsfile'],
    snippet: 'Jenkinsfile',
    language: 'groovy',
    saveAs: 'Jenkinsfile',
    // It is a whole `pipeline`, of which a file has one.
    saveBeside: 'Jenkinsfile.automation-platform',
  },
];

/**
 * Resolves with the path of the CI's configuration in a folder: ".github/workflows". Resolves with
 * `undefined` if the folder has none, or if its file system does not answer for two seconds.
 */
export async function findConfiguration(
  { configurations }: CiSystem,
  folder: vscode.Uri,
  setTimer = realTimer,
): Promise<string | undefined> {
  const exist = await Promise.all(
    configurations.map((path) => exists(vscode.Uri.joinPath(folder, path), setTimer)),
  );
  return configurations.find((_, index) => exist[index]);
}

async function exists(uri: vscode.Uri, setTimer: typeof realTimer): Promise<boolean> {
  try {
    await inTime(vscode.workspace.fs.stat(uri), noAnswerError, setTimer, maxSearchMs);
    return true;
  } catch {
    return false;
  }
}
