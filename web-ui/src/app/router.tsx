import {
  createRootRoute,
  createRoute,
  createRouter,
  notFound,
  Outlet,
  redirect,
  useNavigate,
  useRouter,
} from '@tanstack/react-router';
import { Kind as ContractKind, RequestProtocol, Severity as SeverityValues, type Severity } from '#client';
import { NotFoundPage } from '@/app/not-found-page';
import { FailurePage } from '@/app/failure-page';
import {
  AnalysisPage,
  AuditPage,
  CreatePage,
  ExposePage,
  GatewaysPage,
  ImportPage,
  ResourceListPage,
  ResourcePage,
  RevisionPage,
  RevisionsPage,
  RouteTestPage,
  TokensPage,
  TopologyPage,
  TrafficPage,
  UpstreamHealthPage,
  UsersPage,
} from '@/app/pages';
import { Shell } from '@/app/shell';
import { auditFilterOf } from '@/features/audit/audit-filter';
import { listViewOf } from '@/features/resources/list-view';
import { OverviewPage } from '@/features/overview/overview-page';
import { LoginPage } from '@/features/session/login-page';
import { PasswordPage } from '@/features/session/password-page';
import { RoleGate } from '@/features/session/role-gate';
import type { TopologyView } from '@/features/topology/topology-view';
import { trafficViewOf } from '@/features/traffic/traffic-view';
import type { ListView } from '@/lib/api/list-resources';
import type { NodeHistoryFilter } from '@/lib/api/get-upstream-health';
import type { RevisionFilter } from '@/lib/api/list-revisions';
import type { ListFilter } from '@/lib/api/resource-api';
import type { RouteTestWish } from '@/lib/api/test-route';
import { isKind, kinds, type Kind, type ReferenceKey } from '@/lib/kinds';
import { resourceTabOf, type ResourceTab } from '@/lib/resource-tab';
import { isLoggedIn } from '@/lib/session';

type Search = Readonly<Record<string, unknown>>;

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: (search: Search): { next?: string } => ({ next: textOf(search.next) }),
  beforeLoad: ({ search }) => {
    if (isLoggedIn()) {
      // Only paths of this dashboard: a link must not lead elsewhere through the login page.
      throw redirect({ href: search.next?.match(/^\/(?![/\\])/) ? search.next : '/' });
    }
  },
  component: LoginPage,
});

const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: ({ location }) => {
    if (!isLoggedIn()) {
      throw redirect({ to: '/login', search: location.href === '/' ? {} : { next: location.href } });
    }
  },
  component: Shell,
  notFoundComponent: NotFoundPage,
});

const overviewRoute = createRoute({ getParentRoute: () => shellRoute, path: '/', component: OverviewPage });

const exposeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/expose',
  component: () => (
    <RoleGate least="EDITOR">
      <ExposePage />
    </RoleGate>
  ),
});

const gatewaysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/gateways',
  component: GatewaysPage,
});

const analysisRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/analysis',
  validateSearch: (search: Search): { severity?: Severity } => ({ severity: severityOf(search.severity) }),
  component: function AnalysisRoute() {
    const { severity } = analysisRoute.useSearch();
    const navigate = useNavigate();
    return (
      <AnalysisPage
        severity={severity}
        onSeverity={(value) => void navigate({ to: '/analysis', search: { severity: value }, replace: true })}
      />
    );
  },
});

const importRoute = createRoute({ getParentRoute: () => shellRoute, path: '/import', component: ImportPage });

const routeTestRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/route-test',
  validateSearch: (search: Search): RouteTestWish => ({
    url: textOf(search.url),
    method: textOf(search.method),
    host: textOf(search.host),
    headers: textOf(search.headers),
    clientAddress: textOf(search.clientAddress),
    sni: textOf(search.sni),
    protocol: Object.values(RequestProtocol).find((protocol) => protocol === search.protocol),
    proxyServerId: textOf(search.proxyServerId),
    gatewayId: textOf(search.gatewayId),
    revision: numberOf(search.revision),
  }),
  component: function RouteTestRoute() {
    const navigate = useNavigate();
    return (
      <RouteTestPage
        wish={routeTestRoute.useSearch()}
        onWish={(search) => void navigate({ to: '/route-test', search })}
      />
    );
  },
});

const topologyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/topology',
  validateSearch: (search: Search): TopologyView => ({
    at: textOf(search.at),
    q: textOf(search.q),
    failing: search.failing === true ? true : undefined,
  }),
  component: function TopologyRoute() {
    const navigate = useNavigate();
    return (
      <TopologyPage
        view={topologyRoute.useSearch()}
        onView={(search) => void navigate({ to: '/topology', search })}
      />
    );
  },
});

const trafficRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/traffic',
  validateSearch: (search: Search) => trafficViewOf(search),
  component: function TrafficRoute() {
    const navigate = useNavigate();
    return (
      <TrafficPage
        view={trafficRoute.useSearch()}
        onView={(search) => void navigate({ to: '/traffic', search })}
      />
    );
  },
});

const revisionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/revisions',
  validateSearch: (search: Search): RevisionFilter => ({
    author: textOf(search.author),
    text: textOf(search.text),
    kind: Object.values(ContractKind).find((kind) => kind === search.kind),
    id: textOf(search.id),
  }),
  component: function RevisionsRoute() {
    const navigate = useNavigate();
    return (
      <RevisionsPage
        filter={revisionsRoute.useSearch()}
        onFilter={(search) => void navigate({ to: '/revisions', search, replace: true })}
      />
    );
  },
});

const revisionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/revisions/$number',
  validateSearch: ({ from }: Search): { from?: number } => ({
    from: numberOf(from),
  }),
  beforeLoad: ({ params }) => {
    if (!/^[1-9][0-9]{0,15}$/.test(params.number)) {
      throw notFound();
    }
  },
  component: function RevisionRoute() {
    const { from } = revisionRoute.useSearch();
    const number = Number(revisionRoute.useParams().number);
    return <RevisionPage key={number} number={number} from={from} />;
  },
});

const usersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users',
  component: () => (
    <RoleGate least="ADMIN">
      <UsersPage />
    </RoleGate>
  ),
});

const tokensRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tokens',
  component: () => (
    <RoleGate least="ADMIN">
      <TokensPage />
    </RoleGate>
  ),
});

const passwordRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/password',
  component: PasswordPage,
});

const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  validateSearch: (search: Search) => auditFilterOf(search),
  component: function AuditRoute() {
    const navigate = useNavigate();
    return (
      <RoleGate least="ADMIN">
        <AuditPage
          filter={auditRoute.useSearch()}
          onFilter={(search) => void navigate({ to: '/audit', search, replace: true })}
        />
      </RoleGate>
    );
  },
});

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/$kind',
  validateSearch: (search: Search): ListView => ({
    // An address that somebody kept may still say name.
    q: textOf(search.q) ?? textOf(search.name),
    name: undefined,
    ...referencesOf(search),
    ...listViewOf(search),
  }),
  beforeLoad: ({ params }) => refuseUnknown(params.kind),
  component: function ListRoute() {
    const kind = kindFrom(listRoute.useParams().kind);
    const navigate = useNavigate();
    return (
      <ResourceListPage
        key={kind}
        kind={kind}
        view={listRoute.useSearch()}
        onView={(search) => void navigate({ to: '/$kind', params: { kind }, search, replace: true })}
      />
    );
  },
});

const createResourceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/new/$kind',
  validateSearch: (search: Search): ListFilter & { from?: string; steps?: boolean } => ({
    from: textOf(search.from),
    steps: search.steps === true ? true : undefined,
    ...referencesOf(search),
  }),
  beforeLoad: ({ params }) => refuseUnknown(params.kind),
  component: function CreateRoute() {
    const kind = kindFrom(createResourceRoute.useParams().kind);
    const { from, steps, ...search } = createResourceRoute.useSearch();
    const navigate = useNavigate();
    const toList = useWayToList(kind);
    const known = Object.fromEntries(kinds[kind].refersTo.map(({ key }) => [key, search[key]]));
    return (
      <CreatePage
        key={`${kind} ${from ?? ''}`}
        kind={kind}
        from={from}
        known={known}
        onDone={() => (steps === true ? void navigate({ to: '/' }) : toList())}
      />
    );
  },
});

const resourceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/$kind/$id',
  validateSearch: (search: Search): { tab?: ResourceTab } => ({ tab: resourceTabOf(search.tab) }),
  beforeLoad: ({ params }) => refuseUnknown(params.kind),
  component: function ResourceRoute() {
    const { kind: segment, id } = resourceRoute.useParams();
    const { tab } = resourceRoute.useSearch();
    const kind = kindFrom(segment);
    const navigate = useNavigate();
    return (
      <ResourcePage
        key={`${kind} ${id}`}
        kind={kind}
        id={id}
        tab={tab}
        onTab={(next) => void navigate({ to: '/$kind/$id', params: { kind, id }, search: { tab: next } })}
        onDone={useWayToList(kind)}
      />
    );
  },
});

const upstreamHealthRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/upstreams/$id/health',
  validateSearch: (search: Search): NodeHistoryFilter => ({
    node: textOf(search.node),
    gateway: textOf(search.gateway),
  }),
  component: function UpstreamHealthRoute() {
    const { id } = upstreamHealthRoute.useParams();
    const navigate = useNavigate();
    return (
      <UpstreamHealthPage
        key={id}
        id={id}
        filter={upstreamHealthRoute.useSearch()}
        onFilter={(search) =>
          void navigate({ to: '/upstreams/$id/health', params: { id }, search, replace: true })
        }
      />
    );
  },
});

const routeTree = rootRoute.addChildren([
  loginRoute,
  shellRoute.addChildren([
    overviewRoute,
    exposeRoute,
    gatewaysRoute,
    revisionsRoute,
    revisionRoute,
    usersRoute,
    tokensRoute,
    passwordRoute,
    auditRoute,
    analysisRoute,
    importRoute,
    routeTestRoute,
    topologyRoute,
    trafficRoute,
    createResourceRoute,
    listRoute,
    resourceRoute,
    upstreamHealthRoute,
  ]),
]);

export function newRouter() {
  return createRouter({
    routeTree,
    defaultErrorComponent: FailurePage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof newRouter>;
  }
  interface HistoryState {
    /** The list of this kind is the page before. */
    fromList?: Kind;
  }
}

/** Returns how to go to the list: back, when it is the page before, so that its filter and its place stay. */
function useWayToList(kind: Kind): () => void {
  const router = useRouter();
  const navigate = useNavigate();
  return () => {
    if (router.state.location.state.fromList === kind) {
      router.history.back();
    } else {
      void navigate({ to: '/$kind', params: { kind } });
    }
  };
}

function refuseUnknown(segment: string): void {
  if (!isKind(segment)) {
    throw notFound();
  }
}

function kindFrom(segment: string): Kind {
  if (!isKind(segment)) {
    throw new Error(`kind: ${segment} (expected: one of ${Object.keys(kinds).join(', ')})`);
  }
  return segment;
}

function severityOf(value: unknown): Severity | undefined {
  return Object.values(SeverityValues).find((severity) => severity === value);
}

function referencesOf(search: Search): Partial<Record<ReferenceKey, string>> {
  return {
    proxyServerId: textOf(search.proxyServerId),
    routerId: textOf(search.routerId),
    proxyPassId: textOf(search.proxyPassId),
    upstreamId: textOf(search.upstreamId),
    certificates: textOf(search.certificates),
    certificateId: textOf(search.certificateId),
  };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Ids may look like numbers, and the router reads those as numbers. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined;
}
