import type { Context, RootHookObject } from 'mocha';
import { openWorkbenches } from './openWorkbench.js';

/** Saves what every open window shows when a test has failed, and says where. */
export const pictureFailures: RootHookObject = {
  async afterEach(this: Context) {
    const test = this.currentTest;
    if (test?.state !== 'failed') {
      return;
    }
    const name = test
      .fullTitle()
      .replaceAll(/[^\w.-]+/g, '-')
      .slice(0, 120);
    for (const [index, workbench] of openWorkbenches().entries()) {
      try {
        console.log(
          `      screenshot: ${await workbench.screenshot(`failed-${name}${index > 0 ? `-${index + 1}` : ''}`)}`,
        );
      } catch (error) {
        console.log(`      no screenshot: ${String(error)}`);
      }
    }
  },
};
