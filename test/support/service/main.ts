/** The service as a process of its own: prints one line of JSON (`ServiceAddress`) once it listens, and ends with its parent. */
import { whenGone } from '../parent.js';
import type { ServiceAddress } from './child.js';
import { startService } from './service.js';

const service = await startService();
const end = () => void service.stop();
process.once('SIGTERM', end);
process.once('SIGINT', end);
whenGone(process.ppid, 500, end);
const { baseUrl, controlUrl, token } = service;
console.log(JSON.stringify({ baseUrl, controlUrl, token } satisfies ServiceAddress));
