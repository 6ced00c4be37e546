// Native modules that the server imports and that would have to be compiled: small stand-ins, so that it is neither loud nor blind.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

// Really writes: log output channels are files, shown by "Show Log" and searched by tests. As the real one (which has a thread for
// it) it does not hold up who logs.
const spdlog = `import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
class Logger {
  #level = 2; #plain = false; #stream;
  constructor(file) {
    mkdirSync(dirname(file), { recursive: true });
    this.#stream = createWriteStream(file, { flags: 'a' }).on('error', () => {});
  }
  getLevel() { return this.#level; }
  setLevel(level) { this.#level = level; }
  setPattern() {}
  clearFormatters() { this.#plain = true; }
  flush() {}
  drop() { this.#stream.end(); }
  write(level, name, message) {
    if (level < this.#level) return;
    this.#stream.write(this.#plain ? message : \`\${new Date().toISOString()} [\${name}] \${message}\\n\`);
  }
}
['trace', 'debug', 'info', 'warn', 'error', 'critical'].forEach((name, level) => {
  Logger.prototype[name] = function (message) { this.write(level, name, message); };
});
export const version = 0;
export function setLevel() {}
export function setFlushOn() {}
export function shutdown() {}
export async function createRotatingLogger(_name, file) { return new Logger(file); }
export const createAsyncRotatingLogger = createRotatingLogger;
`;

const deviceid = `export async function getDeviceId() { return '00000000-0000-4000-8000-000000000000'; }\n`;

// The server's own code also looks whether its parent still lives.
const watchdog = 'exports.start = () => {};\n';

const copyfile = "const { copyFile, cp } = require('node:fs/promises');\nmodule.exports = { copyFile, cp };\n";

// What the server looks up in the registry (the machine's id, shell integration) it does without.
const windowsRegistry = 'exports.GetStringRegKey = () => undefined;\nexports.GetDWORDRegKey = () => undefined;\n';

export const standIns = [
  { name: '@vscode/spdlog', type: 'module', text: spdlog },
  { name: '@vscode/deviceid', type: 'module', text: deviceid },
  { name: '@vscode/windows-registry', type: 'commonjs', text: windowsRegistry },
  { name: '@vscode/fs-copyfile', type: 'commonjs', text: copyfile },
  { name: '@vscode/native-watchdog', type: 'commonjs', text: watchdog },
  { name: 'native-watchdog', type: 'commonjs', text: watchdog },
];

export async function writeStandIns(nodeModules: string): Promise<void> {
  for (const { name, type, text } of standIns) {
    const file = join(nodeModules, name, 'index.js');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    await writeFile(
      join(nodeModules, name, 'package.json'),
      JSON.stringify({ name, version: '0.0.0', type, main: 'index.js', exports: './index.js' }),
    );
  }
}
