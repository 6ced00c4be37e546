import type { Disposable } from './emitter.js';

/** A one-shot timer; disposing it before it fires ends it. */
export type SetTimer = (callback: () => void, milliseconds: number) => Disposable;

export const setTimer: SetTimer = (callback, milliseconds) => {
  const timer = setTimeout(callback, milliseconds);
  return { dispose: () => clearTimeout(timer) };
};
