/**
 * An organization somebody signed in to: a random id, a name the user chose, one base URL and its tokens. The tokens are not
 * in here: only `Organizations.target` gives them out, to the one who sends the request.
 */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  /** `environment`: from the two environment variables, read-only. */
  readonly source: 'keyring' | 'environment';
  readonly hasSessionToken: boolean;
}
