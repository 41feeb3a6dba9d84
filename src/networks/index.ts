import { netA } from './netA.ts';
import { netB } from './netB.ts';
import type { Network } from './network.ts';

/** The networks that the service supports. */
export const networks: readonly Network[] = [netA, netB];
