const ends: (() => unknown)[] = [];
let madeBefore = 0;

/** What a suite makes in `before` it ends by `after(endTest)`. */
export function atEndOfTest(end: () => unknown): void {
  ends.push(end);
}

export function beginTest(): void {
  madeBefore = ends.length;
}

export async function endTest(): Promise<void> {
  while (ends.length > madeBefore) await ends.pop()!();
  madeBefore = 0;
}
