import { posix } from 'node:path';

/**
 * An ending that a template or a copy has after that of the file itself: ".tmpl" of
 * "values.yaml.tmpl".
 */
const templateEnding =
  /\.(?:tmpl|tpl|template|j2|jinja2?|erb|ejs|hbs|mustache|example|sample|dist|in|bak|orig|old)$/i;

/**
 * The endings of files in which a word without quotes is a name or a keyword. JSON is among them,
 * because it has no such words.
 */
const codeEndings: ReadonlySet<string> = new Set(
  [
    'ts tsx mts cts js jsx mjs cjs json jsonc json5 jsonl ndjson ipynb code-workspace vue svelte',
    'astro html htm xhtml css scss less py pyi pyx rb rake gemspec go rs java kt kts scala sc',
    'groovy gradle clj cljs cljc edn cs csx fs fsx vb c h cc cpp cxx hh hpp hxx ino m mm swift',
    'dart php phtml pl pm t lua r jl ex exs erl hrl hs lhs elm ml mli nim zig v cr d pas pp sol',
    'tf tfvars hcl nix bicep cue jsonnet libsonnet dhall star bzl graphql gql proto thrift prisma',
    'sql ps1 psm1 psd1 rego wgsl glsl coffee ls res purs tcl sas do awk',
  ].flatMap((endings) => endings.split(' ')),
);

/** Files of code that have no ending. */
const codeNames: ReadonlySet<string> = new Set(
  [
    'Jenkinsfile Vagrantfile Rakefile Gemfile Brewfile Fastfile Podfile Tiltfile',
    'BUILD WORKSPACE SConstruct',
  ].flatMap((names) => names.split(' ')),
);

/**
 * The first line of a script without an ending: "#!/usr/bin/env python". Those of shells are no
 * code.
 */
const codeInterpreter =
  /^#![^\n]{0,100}\b(?:python|node|deno|bun|ruby|perl|php|lua|Rscript|groovy|osascript|tsx)/;

/** Whether a file is YAML, or a template of YAML: "values.yaml.tmpl". */
export function isYamlFile(path: string): boolean {
  return /[^.]\.ya?ml$/i.test(nameWithoutTemplateEnding(path));
}

/** Languages in which backticks run a command. */
const commandEndings = /\.(?:sh|bash|zsh|ksh|fish|mk|rb|rake|gemspec|pl|pm|t|php|phtml)$/i;

/**
 * Whether backticks run a command in this file, and so quote no text. A file without an ending
 * counts, too: scripts often have none.
 */
export function backticksRunCommands(path: string): boolean {
  const name = posix.basename(path);
  const hasEnding = /[^.]\./.test(name);
  return commandEndings.test(name) || !hasEnding || /^Dockerfile/i.test(name);
}

/**
 * Whether a word without quotes is a variable in this file, and not a value as in YAML or a shell
 * script. `text`: the content, of which the first line counts if the file has no ending.
 */
export function isCodeFile(path: string, text: string): boolean {
  const name = nameWithoutTemplateEnding(path);
  const ending = /[^.]\.([^.]+)$/.exec(name)?.[1];
  if (codeNames.has(name)) return true;
  if (ending === undefined) return codeInterpreter.test(text);
  return codeEndings.has(ending.toLowerCase());
}

function nameWithoutTemplateEnding(path: string): string {
  return posix.basename(path).replace(templateEnding, '');
}
