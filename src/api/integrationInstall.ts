/** Reference, section 2.1: a pending integration installation. All six are required; one that is wrong is left out. */
export interface IntegrationInstall {
  /** ISO 8601 date-time as the service sent it. */
  readonly expiresAt?: string;
  readonly label?: string;
  /** `free` and `pro` are known; others are shown as they come. */
  readonly requiredPlan?: string;
  readonly serviceId?: string;
  readonly serviceName?: string;
  readonly serviceSub?: string;
}
