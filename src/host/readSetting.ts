/** What is wrong with a value of the settings, for the log. Values are not repeated: people paste the wrong thing. */
export interface RejectedValue {
  readonly key: string;
  readonly reason: string;
}

/** A validated value, or its default with the reason. */
export interface Reading<T> {
  readonly value: T;
  readonly rejected?: RejectedValue;
}

export interface IntegerSetting {
  readonly key: string;
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
}

export function readInteger(setting: IntegerSetting, value: unknown): Reading<number> {
  const { key, minimum, maximum } = setting;
  if (value === undefined) return { value: setting.default };
  if (typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum) return { value };
  const reason = `is not a whole number from ${minimum} to ${maximum}; ${setting.default} is used instead`;
  return { value: setting.default, rejected: { key, reason } };
}

export function readBoolean(key: string, fallback: boolean, value: unknown): Reading<boolean> {
  if (value === undefined) return { value: fallback };
  if (typeof value === 'boolean') return { value };
  return { value: fallback, rejected: { key, reason: `is neither true nor false; ${fallback} is used instead` } };
}

export function readText(key: string, value: unknown): Reading<string> {
  if (value === undefined) return { value: '' };
  if (typeof value === 'string') return { value: value.trim() };
  return { value: '', rejected: { key, reason: 'is no text and is ignored' } };
}

export function readChoice<T extends string>(
  key: string,
  choices: readonly T[],
  fallback: T,
  value: unknown,
): Reading<T> {
  if (value === undefined) return { value: fallback };
  const choice = choices.find((one) => one === value);
  if (choice !== undefined) return { value: choice };
  return {
    value: fallback,
    rejected: { key, reason: `is none of ${choices.join(', ')}; ${fallback} is used instead` },
  };
}
