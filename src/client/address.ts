/** By the platform's own reading: a browser also takes a URL that is relative to its page. Null for what is no URL. */
function absolute(url: string): URL | null {
  try {
    return new URL(new Request(url).url);
  } catch {
    return null;
  }
}

/**
 * Where the operations are: `https://lookup.example` and `https://lookup.example/api/v1/` are the same service.
 *
 * @throws TypeError for what cannot be the address of a service. It is not quoted, as it may be refused for the password in it.
 */
export function apiBase(baseUrl: string): string {
  const url = absolute(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new TypeError('baseUrl must be an http or https URL, without user, query and fragment');
  return `${url.href.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`;
}

/** Whether a path can hold the text: dots alone would make it another path, half a surrogate pair cannot be encoded (CRE-10). */
export const fitsInPath = (segment: string): boolean => !/^\.*$/.test(segment) && segment.isWellFormed();
