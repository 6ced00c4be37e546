import { posix } from 'node:path';

/** Endings behind that of the file itself: `values.yaml.tmpl`. */
const templateEnding =
  /\.(?:tmpl|tpl|template|j2|jinja2?|erb|ejs|hbs|mustache|example|sample|dist|in|bak|orig|old)$/i;

/** Languages in which a word without quotes is a name or a keyword. JSON is one, as it has no such words. */
const codeEndings = new Set(
  (
    'ts tsx mts cts js jsx mjs cjs json jsonc json5 jsonl ndjson ipynb code-workspace vue svelte astro html htm ' +
    'xhtml css scss less py pyi pyx rb rake gemspec go rs java kt kts scala sc groovy gradle clj cljs cljc edn cs ' +
    'csx fs fsx vb c h cc cpp cxx hh hpp hxx ino m mm swift dart php phtml pl pm t lua r jl ex exs erl hrl hs lhs ' +
    'elm ml mli nim zig v cr d pas pp sol tf tfvars hcl nix bicep cue jsonnet libsonnet dhall star bzl graphql gql ' +
    'proto thrift prisma sql ps1 psm1 psd1 rego wgsl glsl coffee ls res purs tcl sas do awk'
  ).split(' '),
);
const codeNames =
  /^(?:Jenkinsfile|Vagrantfile|Rakefile|Gemfile|Brewfile|Fastfile|Podfile|Tiltfile|BUILD|WORKSPACE|SConstruct)$/;
/** The first line of a script without an ending. */
const codeInterpreter =
  /^#![^\n]{0,100}\b(?:python|node|deno|bun|ruby|perl|php|lua|Rscript|groovy|osascript|tsx)/;

/** Also a template of YAML: `values.yaml.tmpl`. */
export function isYamlFile(path: string): boolean {
  return /[^.]\.ya?ml$/i.test(posix.basename(path).replace(templateEnding, ''));
}

const commandEndings = /\.(?:sh|bash|zsh|ksh|fish|mk|rb|rake|gemspec|pl|pm|t|php|phtml)$/i;

/** Whether backticks run a command in this file, and so quote no text. Scripts often have no ending. */
export function runsBackticks(path: string): boolean {
  const name = posix.basename(path);
  return commandEndings.test(name) || !/[^.]\./.test(name) || /^Dockerfile/i.test(name);
}

/** Whether a word without quotes is a variable in this file, and not a value as in YAML or a shell script. */
export function isCodeFile(path: string, text: string): boolean {
  const name = posix.basename(path).replace(templateEnding, '');
  const ending = /[^.]\.([^.]+)$/.exec(name)?.[1];
  if (ending !== undefined && codeEndings.has(ending.toLowerCase())) return true;
  return codeNames.test(name) || (ending === undefined && codeInterpreter.test(text));
}
