import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { resultsFolder } from '../support/paths.js';
import type { CodeOptions } from '../support/workbench/fixtures.js';

export default defineConfig<object, CodeOptions>({
  testMatch: '*.test.ts',
  outputDir: join(resultsFolder, 'e2e'),
  globalSetup: '../support/workbench/packageForTests.ts',
  reporter: 'list',
  workers: 2,
  retries: 1,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 60_000,
  // Two workers share two cores with the other tests.
  expect: { timeout: 15_000, toPass: { timeout: 15_000 } },
  // A trace of every run would double the time.
  use: { actionTimeout: 15_000, screenshot: 'only-on-failure', trace: 'on-first-retry' },
  projects: [
    { name: '1.139', use: { versionName: '1.139' } },
    { name: '1.105', use: { versionName: '1.105' } },
    {
      name: 'pictures',
      default: false,
      testMatch: 'pictures.ts',
      snapshotPathTemplate: '{testDir}/../../media/readme/{arg}{ext}',
      use: { versionName: '1.139' },
    },
  ],
});
