export class WorkspaceState {
  readonly saved: unknown[] = [];

  constructor(private readonly values: Record<string, unknown> = {}) {}

  readonly get = (key: string): unknown => this.values[key];

  readonly update = async (key: string, value: unknown): Promise<void> => {
    this.saved.push(value);
    this.values[key] = value;
  };
}
