// The two modules of undici that are needed, by their files: its index would bring twice the code and, worse, install its
// own agent as the process-wide dispatcher of every extension's `fetch` (lib/global.js).
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici';
}
