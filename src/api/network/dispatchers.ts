// What is needed of undici, by its files: its index would bring twice the code and, worse, install its own agent as the
// process-wide dispatcher of every extension's `fetch` (lib/global.js).
export { default as Client } from 'undici/lib/dispatcher/client.js';
