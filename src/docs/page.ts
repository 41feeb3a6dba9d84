import express from 'express';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { stringify } from 'yaml';

/** The package has it at the same place beside the built files. */
const bundle = new URL('../../generated/openapi.json', import.meta.url);

const swaggerFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

/** The states of an entity, for people: what a read is told, and what moves it on. */
const statesPicture = `<svg viewBox="0 0 990 300" role="img" aria-labelledby="states-title">
<title id="states-title">A read starts a discovery: fetching; then held, or unavailable</title>
<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 10 5 0 10z" fill="#4a5568"/></marker></defs>
<g fill="none" stroke="#4a5568" stroke-width="2" marker-end="url(#tip)">
<path d="M160 150H298"/><path d="M482 130C560 95 600 75 688 72"/><path d="M482 172C560 205 600 226 688 230"/>
<path d="M360 110C350 50 430 50 422 106"/><path d="M900 52C955 40 955 105 902 92"/><path d="M688 256C560 300 440 270 402 194"/></g>
<g font-size="17" font-weight="600" text-anchor="middle">
<rect x="20" y="110" width="140" height="80" rx="40" fill="#edf2f7" stroke="#4a5568"/><text x="90" y="156">not held</text>
<rect x="300" y="110" width="182" height="80" rx="12" fill="#fefcbf" stroke="#b7791f"/><text x="391" y="145">fetching</text>
<rect x="690" y="32" width="210" height="80" rx="12" fill="#c6f6d5" stroke="#2f855a"/><text x="795" y="67">held</text>
<rect x="690" y="190" width="210" height="80" rx="12" fill="#fed7d7" stroke="#c53030"/><text x="795" y="225">unavailable</text></g>
<g font-size="13" fill="#2d3748" text-anchor="middle">
<text x="391" y="168">202 · Retry-After</text><text x="795" y="90">200 · the document</text><text x="795" y="248">404 · details.reason</text>
<text x="229" y="140">any read</text><text x="391" y="48">read again too early</text><text x="575" y="62">obtained</text><text x="600" y="178">not to be had</text>
<text x="880" y="24">stale: refreshed meanwhile</text><text x="545" y="290">retryable, some minutes later</text></g></svg>`;

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Creator and Post Lookup Service: reference</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png"><link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="stylesheet" href="/docs/page.css">
</head><body>
<header><h1>Creator and Post Lookup Service</h1><p>The contract as <a href="/openapi.json">openapi.json</a> or <a href="/openapi.yaml">openapi.yaml</a></p></header>
<section class="states"><h2>What a read is told</h2>
<p>There is no job to follow: <strong>the read is the poll</strong>. The first read of something not held starts its discovery and says how long to
wait; the same read after <code>Retry-After</code> gets the document, or the reason why there is none. A batch always answers 200 and
sorts its identifiers into the buckets <code>data</code>, <code>fetching</code> and <code>unavailable</code>.</p>
<figure>${statesPicture}</figure></section>
<main id="reference"></main><noscript>The reference below needs JavaScript; the contract itself is at /openapi.json.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/page.js"></script></body></html>
`;

const style = `body{margin:0;font-family:system-ui,sans-serif;color:#1a202c;background:#fff}
header,.states{max-width:1100px;margin:0 auto;padding:1.5rem 1.25rem 0}header h1{margin:0 0 .25rem;font-size:1.7rem}header p{margin:0}
.states h2{font-size:1.2rem}.states p{line-height:1.5;max-width:75ch}.states figure{margin:1rem 0;overflow-x:auto}.states svg{width:100%;min-width:640px;max-width:990px;height:auto}
a{color:#2b6cb0}code{background:#edf2f7;padding:.1em .3em;border-radius:3px}.swagger-ui .info{margin:1rem 0}.swagger-ui .info .title{font-size:1.5rem}.swagger-ui .info h1{font-size:1.2rem}.swagger-ui .wrapper{max-width:1140px}
`;

/** The address that "try it out" calls is the one that served the page; the token stays in memory and is gone with the page. */
const script = `fetch('/openapi.json').then((answer) => answer.json()).then((spec) => {
  // "Try it out" fills in every example: url together with ids is an error, and asOrg names somebody else's organization.
  for (const parameter of Object.values(spec.components.parameters).filter(({ required }) => !required)) {
    for (const place of [parameter, parameter.schema]) { delete place.example; delete place.examples; }
  }
  spec.servers = [{ url: location.origin + '/api/v1', description: 'the server of this page' }];
  window.reference = SwaggerUIBundle({ spec, dom_id: '#reference', deepLinking: true, persistAuthorization: false, validatorUrl: null,
    displayRequestDuration: true, defaultModelsExpandDepth: 0, tryItOutEnabled: true });
});
`;

const policy =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'";

/**
 * The reference page at `/docs`, the contract at `/openapi.json` and `/openapi.yaml`. All of it comes from this server, so
 * it works without any other, and the page's policy forbids others. Mounted at the root, by service and mock alike.
 */
export function docsPage(): express.Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const json = readFileSync(bundle, 'utf8');
  const yaml = stringify(JSON.parse(json), { aliasDuplicateObjects: false, lineWidth: 120 });
  const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

  const text = (path: string, type: string, body: string): void => {
    router.get(path, (_request, response) => {
      response.set({
        'Content-Type': `${type}; charset=utf-8`,
        'Content-Security-Policy': policy,
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-cache',
      });
      response.send(body);
    });
  };

  text('/docs', 'text/html', page);
  text('/docs/page.css', 'text/css', style);
  text('/docs/page.js', 'text/javascript', script);
  text('/openapi.json', 'application/json', json);
  text('/openapi.yaml', 'application/yaml', yaml);
  for (const file of swaggerFiles) {
    router.get(`/docs/${file}`, (_request, response) =>
      response.sendFile(file, { root: swagger, maxAge: '1h', etag: false }),
    );
  }
  return router;
}
