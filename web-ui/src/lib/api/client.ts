import {
  AccessApi,
  AuditApi,
  CertificatesApi,
  Configuration,
  ConfigurationApi,
  ConsumersApi,
  FetchError,
  GatewaysApi,
  ProxyPassesApi,
  ProxyServersApi,
  ResponseError,
  RevisionsApi,
  RoutersApi,
  RoutesApi,
  TrafficApi,
  UpstreamsApi,
  type ApiResponse,
  type Problem,
} from '#client';
import { ApiError, UnreachableError } from '@/lib/api/api-error';
import { reportReachable, reportUsable } from '@/lib/reachability';
import { noteServerTime } from '@/lib/server-time';
import { currentSession, expireSession, type Session } from '@/lib/session';
import { t } from '@/locales';

const basePath = new URL('/api/v1', location.origin).href;

/** Nothing was asked, as the session is over. */
class SessionOverError extends Error {
  override readonly name = 'SessionOverError';
}

const configuration = new Configuration({
  basePath,
  accessToken: () => currentSession().token ?? '',
  // The pages that wait for a login go on asking by themselves, and who shows a wrong token too often is locked out.
  fetchApi: (input, init) =>
    currentSession().expired
      ? Promise.reject(new SessionOverError())
      : fetch(typeof input === 'string' ? withoutDotSegments(input) : input, init),
});

/** What an older version let be called . or .. has a tilde before it in a path, as the contract says: nothing else could name it. */
export function withoutDotSegments(url: string): string {
  const [path = '', ...query] = url.split('?');
  return [path.replace(/\/(?=\.{1,2}(?:\/|$))/g, '/~'), ...query].join('?');
}

export const api = {
  access: new AccessApi(configuration),
  audit: new AuditApi(configuration),
  configuration: new ConfigurationApi(configuration),
  consumers: new ConsumersApi(configuration),
  gateways: new GatewaysApi(configuration),
  /** For what everybody may ask. */
  open: new ConfigurationApi(new Configuration({ basePath })),
  proxyPasses: new ProxyPassesApi(configuration),
  proxyServers: new ProxyServersApi(configuration),
  revisions: new RevisionsApi(configuration),
  routers: new RoutersApi(configuration),
  routes: new RoutesApi(configuration),
  traffic: new TrafficApi(configuration),
  upstreams: new UpstreamsApi(configuration),
  certificates: new CertificatesApi(configuration),
};

export interface Answer<T> {
  readonly value: T;
  readonly etag: string | undefined;
}

/** Completes one call: every failure becomes an {@link ApiError} or an {@link UnreachableError}; a 401 lets the session expire. */
export async function call<T>(request: Promise<ApiResponse<T>>): Promise<Answer<T>> {
  const asked = currentSession();
  try {
    const response = await request;
    reportReachable(true);
    noteServerTime(response.raw.headers.get('date'));
    return { value: await response.value(), etag: response.raw.headers.get('ETag') ?? undefined };
  } catch (failure) {
    throw await translated(failure, asked);
  }
}

async function translated(failure: unknown, asked: Session): Promise<unknown> {
  if (failure instanceof FetchError) {
    if (failure.cause instanceof SessionOverError) {
      return new ApiError({ type: 'about:blank', title: t('The session has ended.'), status: 401 });
    }
    if (failure.cause.name === 'AbortError') {
      // Given up here: that says nothing about the control plane.
      return failure.cause;
    }
    reportReachable(false);
    return new UnreachableError(failure.cause.message);
  }
  if (failure instanceof ResponseError) {
    return failureOf(failure.response, asked);
  }
  return failure;
}

/** Returns what a response that is not a success means, to a call that was made in this session. */
export async function failureOf(response: Response, asked: Session): Promise<Error> {
  const problem = await problemOf(response);
  if (response.status === 401) {
    reportReachable(true);
    expireSession(
      asked,
      asked.token === undefined
        ? t('The session has ended. Log in again.')
        : t('The control plane did not accept the token. Log in again.'),
    );
    return new ApiError(problem);
  }
  const databaseAway = problem.type === `${PROBLEM}database-away`;
  const away = databaseAway || isNobody(problem);
  if (databaseAway) {
    reportUsable(false);
  } else {
    reportReachable(!away);
  }
  return away ? new UnreachableError(problem.detail ?? problem.title) : new ApiError(problem);
}

const PROBLEM = 'urn:sigma:problem:';

/**
 * Whether it was no control plane that answered. What one can not do now, such as asking a gateway that is silent, is a matter of
 * what was asked for.
 */
function isNobody({ status, type }: Problem): boolean {
  return status >= 502 && status <= 504 && !type.startsWith(PROBLEM);
}

async function problemOf(response: Response): Promise<Problem> {
  const fallback = { type: 'about:blank', title: `HTTP ${response.status} ${response.statusText}`.trim() };
  if (response.headers.get('Content-Type')?.includes('json') !== true) {
    return { ...fallback, status: response.status };
  }
  try {
    const body = (await response.json()) as Partial<Problem>;
    return { ...fallback, ...body, status: response.status };
  } catch {
    return { ...fallback, status: response.status };
  }
}
