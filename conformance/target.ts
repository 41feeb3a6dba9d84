/** What the suite is told of a target: where it is, who may ask, and what is known to be there. Described, never guessed. */
import type { Role } from './model.ts';

export interface TargetToken {
  readonly token: string;
  /** Budget that it draws on; two tokens with one name share it. */
  readonly principal: string;
}

export interface Target {
  readonly name: string;
  /** Without `/api/v1`, no trailing slash. */
  readonly baseUrl: string;
  readonly tokens: Readonly<Partial<Record<Role, TargetToken>>>;
  readonly organizations: {
    readonly own?: string;
    readonly member?: string;
    readonly delegated?: string;
    readonly withoutRole?: string;
    /** An organization's id, not a slug. */
    readonly id?: string;
  };
  readonly profiles: { readonly own?: string; readonly foreign?: string };
  readonly networks: Readonly<Record<string, TargetNetwork>>;
  readonly unsupportedNetwork: string;
  readonly capabilities: {
    /** Requests a principal of the role `rateLimited` has in a window. */
    readonly budget: number;
    readonly windowSeconds: number;
    readonly clockSkewSeconds: number;
    /** Whether what it tells depends on the marketplace credentials of the caller's organization (DOC-13). */
    readonly marketplace: boolean;
  };
}

/** Identifiers of one network by the state that they are in. `{uuid}` in a template is replaced afresh in each run. */
export interface TargetNetwork {
  readonly creators: {
    readonly held?: string;
    /** Template of handles nobody has asked for yet. */
    readonly notHeld?: string;
    readonly missing?: string;
    /** Fails on the service's side, so it is `retryable`. */
    readonly broken?: string;
    readonly bare?: string;
    readonly silent?: string;
  };
  readonly posts: {
    readonly held?: string;
    /** The id that the network gave to `held`, where that is another name of it: netA has both (IDS-12). */
    readonly heldId?: string;
    readonly notHeld?: string;
    readonly missing?: string;
    readonly old?: string;
    readonly orphan?: string;
    readonly broken?: string;
    readonly bare?: string;
    readonly carousel?: string;
  };
  /** URL templates: `https://neta.example/{handle}`, `https://neta.example/p/{post}`. */
  readonly urls: { readonly profile?: string; readonly post?: string; readonly reel?: string };
}
