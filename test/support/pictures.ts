// Takes the pictures of the README and, for looking at them, those of the views in every kind of theme: `npm run pictures`.
import { newestHost } from './vscode/hostVersions.js';

process.env['AUTOMATION_PLATFORM_PICTURES'] = '1';
process.argv.splice(2, 0, 'e2e', '--vscode', newestHost.name, '--grep', '^(pictures|accessib)');
await import('./test.js');
