/** Chooses the source of each network by the settings. */
import type { Config } from './config.ts';
import { withEnrichment, type EnrichmentOptions } from './discovery/enrichment.ts';
import type { Schemas } from './discovery/repair.ts';
import { createHttpSource } from './discovery/sources/http.ts';
import { createSandbox, type SandboxOptions } from './discovery/sources/sandbox.ts';
import { withUsualTime } from './discovery/usual-time.ts';
import type { Source } from './model.ts';
import { networks } from './networks/index.ts';
import type { Network } from './networks/network.ts';

export interface SourceParts {
  /** `components.schemas` of the bundled contract. */
  readonly schemas: Schemas;
  readonly log: EnrichmentOptions['log'];
  readonly sandbox: SandboxOptions;
  /** Milliseconds of a monotonic clock. */
  readonly timer: () => number;
}

/**
 * One source for each network: the collector that the settings name for it, else the sandbox. If the settings name a model, each source
 * has it fill `analysis`.
 */
export function createSources(config: Config, parts: SourceParts): Source[] {
  const hasModel = config.ENRICHMENT_URL !== '';
  return networks.map((network) => {
    const collector = collectorOf(network, config, parts);
    const source = collector ?? createSandbox(network, parts.sandbox);
    // The sandbox alone knows how long it takes.
    if (collector === null && !hasModel) return source;
    return withUsualTime(hasModel ? enriched(source, config, parts) : source, parts.timer);
  });
}

function collectorOf(network: Network, { SOURCES, SOURCE_TOKENS }: Config, { schemas }: SourceParts): Source | null {
  const baseUrl = SOURCES[network.name];
  const token = SOURCE_TOKENS[network.name];
  if (baseUrl === undefined) return null;
  return createHttpSource(network, { baseUrl, schemas, ...(token !== undefined && { token }) });
}

function enriched(source: Source, config: Config, { schemas, log }: SourceParts): Source {
  const { ENRICHMENT_URL: baseUrl, ENRICHMENT_MODEL: model, ENRICHMENT_KEY: apiKey } = config;
  return withEnrichment(source, { baseUrl, model, schemas, log, ...(apiKey !== '' && { apiKey }) });
}
