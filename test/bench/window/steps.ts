import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runProcess } from '../../support/processes.js';
import type { Benchmark, Row } from '../benchmark.js';
import { median, timedNow } from '../compare.js';
import { texts } from '../data.js';
import { hostSession } from '../hostSession.js';

/** What can't be cut into slices: how long it holds whoever needs it. Each in a fresh process, on VS Code's own Node. */
export const steps: Benchmark = {
  name: 'steps',
  async measure(short) {
    const { host, extensionFolder } = await hostSession();
    const dist = join(extensionFolder, 'dist');
    const undici = (await readdir(dist)).find((file) => /^pool-.*\.js$/.test(file));
    if (undici === undefined) {
      throw new Error('undici is in no chunk of its own');
    }
    const [text] = texts(1).values();
    const step = async (what: string, code: string): Promise<Row> => {
      const times: number[] = [];
      for (let round = 0; round < (short ? 3 : 9); round++) {
        const script = `import * as tls from 'node:tls';${code}`;
        times.push(Number(await runProcess(host.node, ['--input-type=module', '--eval', script])));
      }
      return { what: `indivisible: ${what}`, against: '–', measured: median(times), unit: 'ms' };
    };
    const certificates = `const ca = [...tls.rootCertificates, ...(tls.getCACertificates?.('system') ?? [])]`;
    return [
      await step(
        'undici’s first load',
        clock('', `await import(${JSON.stringify(pathToFileURL(join(dist, undici)).href)})`),
      ),
      await step('system certificates, once', clock('', certificates)),
      await step('one secure context', clock(certificates, 'tls.createSecureContext({ ca })')),
      parsing('`JSON.parse` of 2 kB', text!),
      parsing(
        '`JSON.parse` of 4 MB, the largest body',
        `[${Array(Math.floor(4_000_000 / text!.length))
          .fill(text)
          .join(',')}]`,
      ),
    ];
  },
};

function parsing(what: string, text: string): Row {
  const times = Array.from({ length: 21 }, () => timedNow(() => JSON.parse(text)));
  return { what: `indivisible: ${what}`, against: '–', measured: median(times), unit: 'ms' };
}

/** A script that prints the ms of `work`. */
function clock(before: string, work: string): string {
  return `${before};const start = performance.now();${work};process.stdout.write(String(performance.now() - start));`;
}
