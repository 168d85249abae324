import { useRef } from 'react';
import type { ApiResponse } from '#client';
import { UnreachableError } from '@/lib/api/api-error';
import { call, type Answer } from '@/lib/api/client';
import { randomHex } from '@/lib/random-hex';

/** Until a control plane that ended, or the way to it, has been replaced by another. */
const RETRY_PAUSE_MILLIS = 400;
const KEY_BYTES = 16;

type Send<T> = (idempotencyKey: string) => Promise<ApiResponse<T>>;

/**
 * Returns how to send a write whose answer may be lost. When none comes it is sent once more under the same key, by which the
 * control plane answers with what it did before. The key stays with the request until there is an answer, so that it is not made
 * twice when a person sends it again either.
 */
export function useWrite(): <T>(request: object, send: Send<T>) => Promise<Answer<T>> {
  const open = useRef<{ readonly request: string; readonly key: string }>(undefined);
  return async <T>(wanted: object, send: Send<T>): Promise<Answer<T>> => {
    const request = JSON.stringify(wanted);
    const { key } = open.current?.request === request ? open.current : { key: randomHex(KEY_BYTES) };
    open.current = { request, key };
    try {
      const answer = await call(send(key)).catch(async (failure: unknown) => {
        if (!(failure instanceof UnreachableError)) {
          throw failure;
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MILLIS));
        return call(send(key));
      });
      open.current = undefined;
      return answer;
    } catch (failure) {
      if (!(failure instanceof UnreachableError)) {
        open.current = undefined;
      }
      throw failure;
    }
  };
}
