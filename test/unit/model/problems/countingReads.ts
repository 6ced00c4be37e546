/** Makes a list with these entries, and counts in `reads` how often an entry of it is read. */
export function countingReads(entries: readonly string[]) {
  const counted = { reads: 0 };
  const list = new Proxy(entries, {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) counted.reads += 1;
      return Reflect.get(target, name);
    },
  });
  return Object.assign(counted, { list });
}

/** Makes a list of fields that could not be decoded (none hides a problem), and counts in `reads` how often their paths are read. */
export function countingIssues(count: number) {
  const counted = { reads: 0 };
  const issue = {
    get path() {
      counted.reads += 1;
      return 'accounts[0].label';
    },
    expected: 'string',
    found: 'null',
  } as const;
  return Object.assign(counted, { list: Array.from({ length: count }, () => issue) });
}
