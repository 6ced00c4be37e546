/** The longest time for which nothing else could run in the extension host. Ms. */
export async function longestStall(work: () => Thenable<unknown>): Promise<number> {
  // What was before is over.
  await new Promise((resolve) => setTimeout(resolve, 300));
  let longest = 0;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  await work();
  look();
  clearInterval(timer);
  return longest;
}
