/** An exchange that a test had with the service, byte for byte; bodies are base64. */
export interface RecordedExchange {
  readonly request: {
    readonly method: string;
    readonly target: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: string;
    /** False where the service refused it before it had read all of the body. */
    readonly isWhole: boolean;
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: string;
  };
}
