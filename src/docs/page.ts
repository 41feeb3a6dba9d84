import express from 'express';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { statesPicture } from './states-picture.ts';

/** The package has it at the same place beside the built files. */
const bundle = new URL('../../generated/openapi.json', import.meta.url);

const swaggerFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Creator and Post Lookup Service: reference</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png"><link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="stylesheet" href="/docs/page.css">
</head><body>
<header><div><h1>Creator and Post Lookup Service</h1><nav><a href="/openapi.json">openapi.json</a><a href="/openapi.yaml">openapi.yaml</a></nav></div></header>
<section class="states"><h2>What a read is told</h2>
<p>There is no job to follow: <strong>the read is the poll</strong>. The first read of something not held starts its discovery and says how long to
wait; the same read after <code>Retry-After</code> gets the document, or the reason why there is none. A batch always answers 200 and
sorts its identifiers into the buckets <code>data</code>, <code>fetching</code> and <code>unavailable</code>.</p>
<figure>${statesPicture}</figure></section>
<main id="reference"></main><noscript>The reference below needs JavaScript; the contract itself is at /openapi.json.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/page.js"></script></body></html>
`;

const style = `:root{--text:#1a202c;--quiet:#4a5568;--paper:#fff;--shade:#f4f6f9;--link:#2457a6;--line:#64748b;
--unknown:#eef2f7;--fetching:#fef3c7;--fetching-line:#b7791f;--held:#d1fadf;--held-line:#2f855a;--unavailable:#fde2e1;--unavailable-line:#c53030}
html.dark-mode{--text:#e4e6e6;--quiet:#b0b8c1;--paper:#1c2022;--shade:#252b2f;--link:#8ab4f8;--line:#8a97a6;
--unknown:#2b3238;--fetching:#453713;--fetching-line:#d9a441;--held:#173d2a;--held-line:#4caf7d;--unavailable:#4a2223;--unavailable-line:#e57373}
body{margin:0;font-family:system-ui,sans-serif;color:var(--text);background:var(--paper)}a{color:var(--link)}
header{background:var(--shade)}header div{display:flex;flex-wrap:wrap;gap:.5rem 2rem;align-items:baseline;justify-content:space-between}
header div,.states{max-width:1100px;margin:0 auto;padding:1.1rem 1.25rem}header h1{margin:0;font-size:1.5rem}header nav{display:flex;gap:1.25rem}
.states h2{margin:.5rem 0;font-size:1.25rem}.states p{margin:.5rem 0;line-height:1.55;max-width:78ch}.states code{background:var(--shade);padding:.1em .35em;border-radius:4px}
.states figure{margin:1.5rem 0 0;overflow-x:auto}.states svg{display:block;width:100%;min-width:680px;height:auto}
.states text{font-size:14px;fill:var(--text);text-anchor:middle}.states .words text{font-size:13.5px;fill:var(--quiet)}.states .state{font-size:18px;font-weight:650}
.arrows{fill:none;stroke:var(--line);stroke-width:2}.tip{fill:var(--line)}.box rect{stroke-width:1.75}.states .unknown rect{fill:var(--unknown);stroke:var(--line)}
.states .fetching rect{fill:var(--fetching);stroke:var(--fetching-line)}.states .held rect{fill:var(--held);stroke:var(--held-line)}.states .unavailable rect{fill:var(--unavailable);stroke:var(--unavailable-line)}
.swagger-ui .info{margin:1rem 0}.swagger-ui .info hgroup.main{display:none}.swagger-ui .info h1{font-size:1.2rem}.swagger-ui .wrapper{max-width:1140px}
.swagger-ui .renderedMarkdown table{display:block;overflow-x:auto}.swagger-ui .responses-inner{overflow-x:auto}.swagger-ui .response-col_links{display:none}
@media(max-width:640px){.swagger-ui .response-controls{display:block}.swagger-ui .examples-select-element{width:100%}}
.swagger-ui :is(a,button,select,input,textarea):focus-visible{outline:2px solid var(--link)!important;outline-offset:2px}
html.dark-mode .swagger-ui :is(table.headers td,.examples-select__section-label){color:var(--quiet)}
`;

/** Light or dark, like the reader's system. "Try it out" calls the server that served the page; the token stays in memory and is gone with the page. */
const script = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow); follow();
fetch('/openapi.json').then((answer) => answer.json()).then((spec) => {
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
  const json = readFileSync(bundle);
  // Made on the first request, so that no start has to wait for it (a tenth of a second) or keeps its library in memory.
  let yaml: Promise<string> | null = null;
  const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

  const text = (path: string, type: string, body: () => string | Buffer | Promise<string>): void => {
    router.get(path, async (_request, response) => {
      const bytes = await body();
      response.set({
        'Content-Type': `${type}; charset=utf-8`,
        'Content-Security-Policy': policy,
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-cache',
      });
      response.send(bytes);
    });
  };

  text('/docs', 'text/html', () => page);
  text('/docs/page.css', 'text/css', () => style);
  text('/docs/page.js', 'text/javascript', () => script);
  text('/openapi.json', 'application/json', () => json);
  text('/openapi.yaml', 'application/yaml', () => (yaml ??= asYaml(json)));
  for (const file of swaggerFiles) {
    router.get(`/docs/${file}`, (_request, response) =>
      response.sendFile(file, { root: swagger, maxAge: '1h', etag: false }),
    );
  }
  return router;
}

async function asYaml(json: Buffer): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(JSON.parse(json.toString()), { aliasDuplicateObjects: false, lineWidth: 120 });
}
