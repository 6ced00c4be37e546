import { join } from 'node:path';
import { projectRoot } from './paths.js';
import { startProcess } from './processes.js';
import type { Suite } from './suite.js';
import { readResult } from './suiteResult.js';
import { temporaryFolder } from './temporaryFolder.js';

/** Far more than they need; what runs on for ever ends here. */
const timeLimit = 240_000;

/** The unit tests, as `npm run test:unit` runs them. */
export function unitSuite({ grep }: { readonly grep?: string }): Suite {
  const job = async () => {
    const { path } = await temporaryFolder();
    const results = join(path, 'unit.json');
    const args = ['node_modules/mocha/bin/mocha.js', '--reporter=out/test/support/lineReporter.js'];
    args.push(`--reporter-option=results=${results}`);
    if (grep !== undefined) args.push('--grep', grep);
    const mocha = startProcess(process.execPath, args, { cwd: projectRoot });
    mocha.child.stdout?.on('data', (text: string) => process.stdout.write(text));
    mocha.child.stderr?.on('data', (text: string) => process.stdout.write(text));
    const timer = setTimeout(() => void mocha.stop(), timeLimit);
    await mocha.ended;
    clearTimeout(timer);
    return readResult(results, 'unit');
  };
  return { name: 'unit', jobs: [job] };
}
