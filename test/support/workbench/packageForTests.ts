import { join } from 'node:path';
import { packageExtension } from '../packageExtension.js';
import { temporaryFolder } from '../temporaryFolder.js';

/** Playwright runs it once before all tests, and in the end what it returns. */
export default async function packageForTests() {
  const { path, remove } = await temporaryFolder();
  const vsix = join(path, 'automation-platform.vsix');
  await packageExtension(vsix);
  process.env['AUTOMATION_PLATFORM_TEST_VSIX'] = vsix;
  return remove;
}
