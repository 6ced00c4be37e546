// Really writes: log output channels are files, shown by "Show Log" and searched by tests. As the real one (which has a thread for
// it) it does not hold up the code that logs.
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

class Logger {
  #level = 2;
  #plain = false;
  #stream;

  constructor(file) {
    mkdirSync(dirname(file), { recursive: true });
    this.#stream = createWriteStream(file, { flags: 'a' }).on('error', () => {});
  }

  getLevel() {
    return this.#level;
  }

  setLevel(level) {
    this.#level = level;
  }

  setPattern() {}

  clearFormatters() {
    this.#plain = true;
  }

  flush() {}

  drop() {
    this.#stream.end();
  }

  write(level, name, message) {
    if (level < this.#level) return;
    this.#stream.write(
      this.#plain ? message : `${new Date().toISOString()} [${name}] ${message}\n`,
    );
  }
}

for (const [level, name] of ['trace', 'debug', 'info', 'warn', 'error', 'critical'].entries()) {
  Logger.prototype[name] = function (message) {
    this.write(level, name, message);
  };
}

export const version = 0;
export function setLevel() {}
export function setFlushOn() {}
export function shutdown() {}
export async function createRotatingLogger(_name, file) {
  return new Logger(file);
}
export const createAsyncRotatingLogger = createRotatingLogger;
