import { netA } from './netA.ts';
import { netB } from './netB.ts';
import type { Network } from './network.ts';

/** The networks that the service supports; the first is the default of bare identifiers (IDS-01). One file a network. */
export const networks: readonly Network[] = [netA, netB];
