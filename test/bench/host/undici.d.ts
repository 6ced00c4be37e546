declare module 'undici/lib/api/index.js' {
  import type { Dispatcher } from 'undici';

  const api: { readonly request: Dispatcher['request'] };
  export default api;
}
