/** `esbuild.js` writes this line, which has no more bytes. */
const firstLine = /^\/\/ Automation Platform check (\d+\.\d+\.\d+[-\w.]{0,40}), /;
const maxFirstLineBytes = 300;

/**
 * Returns the version in the first line of a check program: "0.12.0"; `undefined` if there is none,
 * as in another program. A version has only letters from A to Z, digits, dots, hyphens, and
 * underscores, whatever the file holds.
 */
export function checkVersion(program: Uint8Array): string | undefined {
  const beginning = new TextDecoder().decode(program.subarray(0, maxFirstLineBytes));
  return firstLine.exec(beginning)?.[1];
}

/** Whether a version comes before another one. What follows the three numbers is not compared. */
export function isOlder(version: string, other: string): boolean {
  const numbers = numbersOf(version);
  const otherNumbers = numbersOf(other);
  const difference = numbers.findIndex((number, index) => number !== otherNumbers[index]);
  return difference !== -1 && numbers[difference]! < otherNumbers[difference]!;
}

/** [0, 12, 0] */
function numbersOf(version: string): readonly number[] {
  const [numbers = ''] = /^\d+\.\d+\.\d+/.exec(version) ?? [];
  return numbers.split('.').map(Number);
}
