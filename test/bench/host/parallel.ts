/** Requests in flight during a refresh of all, on either side. */
export const atATime = 32;
