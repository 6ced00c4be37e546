/**
 * Reference, section 2.3. Which fields are always present is not shown, so each may be absent. Fields that the
 * reference does not name are kept on the objects as they came (see `unknownFields`).
 */
export interface DeploymentAuthorization {
  readonly accounts: readonly Account[];
  readonly requirements: readonly Requirement[];
}

export interface Account {
  readonly id?: string;
  readonly label?: string;
  readonly serviceId?: string;
  readonly serviceSub?: string;
  readonly connectionMethodId?: string;
  /** Scopes held by the account; absent means unknown, not none. */
  readonly scopes?: readonly string[];
  /** date-time as the service sent it. */
  readonly checkedAt?: string;
  /** A problem with the account; even an empty object is one, `null` is none. */
  readonly error?: AccountError | null;
}

export interface AccountError {
  readonly code?: string;
  readonly message?: string;
}

export interface Requirement {
  readonly serviceId?: string;
  readonly accountId?: string;
  readonly binding?: string;
  readonly satisfied?: boolean;
  readonly eligibleAccountIds?: readonly string[];
  readonly connections?: readonly Connection[];
}

export interface Connection {
  readonly connectionMethodId?: string;
  readonly minimalScopes?: readonly string[];
  readonly requiredScopes?: readonly string[];
}
