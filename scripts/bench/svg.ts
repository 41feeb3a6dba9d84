/** What the pictures share: text that is safe, and colours that follow the reader's light or dark page. */

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Colours of lines, in the order in which they are told apart best; `series-0` is the one looked at. */
const style = `
text{font:13px system-ui,sans-serif;fill:#1f2328}.faint{fill:#59636e}.title{font-weight:600}
.page{fill:#ffffff}.bar{fill:#afb8c1}.ours{fill:#0969da}.axis{stroke:#d1d9e0}
.s0{stroke:#0969da;fill:#0969da}.s1{stroke:#bc4c00;fill:#bc4c00}.s2{stroke:#1a7f37;fill:#1a7f37}.s3{stroke:#8250df;fill:#8250df}
@media (prefers-color-scheme:dark){text{fill:#f0f6fc}.faint{fill:#9198a1}
.page{fill:#0d1117}.bar{fill:#57606a}.ours{fill:#4493f8}.axis{stroke:#3d444d}
.s0{stroke:#4493f8;fill:#4493f8}.s1{stroke:#f0883e;fill:#f0883e}.s2{stroke:#3fb950;fill:#3fb950}.s3{stroke:#ab7df8;fill:#ab7df8}}
.line{fill:none;stroke-width:2}text.s0,text.s1,text.s2,text.s3{stroke:none}`.replaceAll('\n', '');

export interface Size {
  readonly width: number;
  readonly height: number;
}

export function svg(label: string, { width, height }: Size, parts: readonly string[]): string {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(label)}">`;
  return `${head}<style>${style}</style><rect class="page" width="${width}" height="${height}"/>\n${parts.join('\n')}\n</svg>\n`;
}
