import { plainRequest } from '@/lib/plain-request';
import { addressOf, isCurl, requestOrPathIn } from '@/lib/request-in';

const WORDS_MAX = 256;

/**
 * Returns the words to search for a text: of a request only its method, host and path, so that no secret of a header
 * or query is sent; otherwise the text.
 */
export function soughtBy(text: string): string {
  const request = requestOrPathIn(text);
  const [address = ''] = request === undefined ? [] : addressOf(plainRequest(request)).split(/[?#]/, 1);
  const words = request?.method === undefined ? address : `${request.method} ${address}`;
  const otherwise = isCurl(text) ? 'curl' : text.trim();
  return (address === '' ? otherwise : words).slice(0, WORDS_MAX);
}
