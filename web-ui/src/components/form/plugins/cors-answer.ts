import { t } from '@/locales';
import { translateContract } from '@/locales/contract';

/** What a CORS plugin says, as the form holds it. */
export interface CorsRules {
  readonly allowOrigins: readonly string[];
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly allowCredentials: boolean;
}

/** What a page of another origin asks for. */
export interface CorsRequest {
  readonly origin: string;
  readonly method: string;
  /** A request header that browsers do not send without asking; empty for none. */
  readonly header: string;
  readonly credentials: boolean;
}

export interface CorsAnswer {
  readonly origin: string;
  /** Why a browser refuses; empty where it lets the page read the response. */
  readonly refusals: readonly string[];
  /** Whether the browser asks before it sends the request. */
  readonly preflight: boolean;
}

/** As the fields of the plugin are called. */
const words = {
  origins: translateContract('Origins'),
  methods: translateContract('Methods'),
  headers: translateContract('Request headers'),
  credentials: translateContract('Allow credentials'),
};

/** Methods that browsers send without asking, and take without their being named (Fetch standard, §2.2.1). */
const SIMPLE = new Set(['GET', 'HEAD', 'POST']);

/** Returns what becomes of a request of a page by these rules; undefined where what is asked from is no origin. */
export function corsAnswer(rules: CorsRules, request: CorsRequest): CorsAnswer | undefined {
  const origin = originOf(request.origin);
  if (origin === undefined) {
    return undefined;
  }
  const any = rules.allowOrigins.length === 0 || rules.allowOrigins.includes('*');
  const method = request.method;
  const header = request.header.trim();
  const preflight = !SIMPLE.has(method) || header !== '';
  // The gateway compares as it stands, and permits nothing in a preflight for a method that is not named.
  const named = rules.allowMethods.length === 0 || rules.allowMethods.includes(method);
  const headerNamed =
    rules.allowHeaders.length === 0 ||
    rules.allowHeaders.some((one) => one.toLowerCase() === header.toLowerCase());
  const refusals: string[] = [];
  if (!any && !rules.allowOrigins.includes(origin)) {
    refusals.push(t('{label} does not have {value}.', { label: words.origins, value: origin }));
  }
  if (preflight && !named) {
    refusals.push(t('{label} does not have {value}.', { label: words.methods, value: method }));
  }
  if (header !== '' && !headerNamed) {
    refusals.push(t('{label} does not have {value}.', { label: words.headers, value: header }));
  }
  if (request.credentials && !rules.allowCredentials) {
    refusals.push(t('{label} is off.', { label: words.credentials }));
  }
  if (request.credentials && any) {
    refusals.push(t('With credentials, {label} must name each origin.', { label: words.origins }));
  }
  return { origin, refusals, preflight };
}

/** Returns the origin of a URL as browsers write it. */
function originOf(text: string): string | undefined {
  try {
    const { protocol, origin } = new URL(text.trim());
    return /^https?:$/.test(protocol) ? origin : undefined;
  } catch {
    return undefined;
  }
}
