import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  notFound,
  Outlet,
  redirect,
  useNavigate,
} from '@tanstack/react-router';
import { NotFoundPage } from '@/app/not-found-page';
import { forRole } from '@/app/for-role';
import { kindFrom, refuseUnknown } from '@/app/kind-segments';
import {
  AnalysisPage,
  AuditPage,
  CreatePage,
  ExposePage,
  GatewayConnectionsPage,
  GatewaysPage,
  ImportPage,
  RequestsPage,
  ResourceListPage,
  ResourcePage,
  RevisionPage,
  RevisionsPage,
  RouteTestPage,
  showing,
  StagedPage,
  TokensPage,
  TopologyPage,
  TrafficPage,
  UpstreamHealthPage,
  UsersPage,
} from '@/app/pages';
import {
  analysisSearchOf,
  connectionFilterOf,
  creationSearchOf,
  loginSearchOf,
  nodeHistoryFilterOf,
  resourceListSearchOf,
  resourceSearchOf,
  revisionFilterOf,
  revisionSearchOf,
  routeTestWishOf,
  topologyViewOf,
  type Search,
} from '@/app/search-parameters';
import { Shell } from '@/app/shell';
import { useWayToList } from '@/app/way-to-list';
import { auditFilterOf } from '@/features/audit/audit-filter';
import { OverviewPage } from '@/features/overview/overview-page';
import { requestFilterOf } from '@/features/requests/request-filter';
import { LoginPage } from '@/features/session/login-page';
import { PasswordPage } from '@/features/session/password-page';
import { RoleGate } from '@/features/session/role-gate';
import { trafficViewOf } from '@/features/traffic/traffic-view';
import { ask } from '@/lib/api/ask';
import { countResources } from '@/lib/api/count-resources';
import { listResources } from '@/lib/api/list-resources';
import { kinds, trafficKinds } from '@/lib/kinds';
import { isLoggedIn } from '@/lib/session';

const rootRoute = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFoundPage,
});

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: loginSearchOf,
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

const overviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: ({ context }) => trafficKinds.forEach((kind) => ask(context.queryClient, countResources(kind))),
  component: OverviewPage,
});

const exposeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/expose',
  component: forRole('EDITOR', ExposePage),
});

const gatewaysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/gateways',
  component: GatewaysPage,
});

const gatewayConnectionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/gateways/$id/connections',
  validateSearch: connectionFilterOf,
  component: showing(GatewayConnectionsPage, function GatewayConnectionsRoute() {
    const { id } = gatewayConnectionsRoute.useParams();
    const navigate = useNavigate();
    return (
      <GatewayConnectionsPage
        key={id}
        id={id}
        filter={gatewayConnectionsRoute.useSearch()}
        onFilter={(search) =>
          void navigate({ from: gatewayConnectionsRoute.fullPath, search, replace: true })
        }
      />
    );
  }),
});

const analysisRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/analysis',
  validateSearch: analysisSearchOf,
  component: showing(AnalysisPage, function AnalysisRoute() {
    const { severity } = analysisRoute.useSearch();
    const navigate = useNavigate();
    return (
      <AnalysisPage
        severity={severity}
        onSeverity={(value) => void navigate({ to: '/analysis', search: { severity: value }, replace: true })}
      />
    );
  }),
});

const importRoute = createRoute({ getParentRoute: () => shellRoute, path: '/import', component: ImportPage });

const stagedRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/staged',
  component: forRole('EDITOR', StagedPage),
});

const routeTestRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/route-test',
  validateSearch: routeTestWishOf,
  component: showing(RouteTestPage, function RouteTestRoute() {
    const navigate = useNavigate();
    return (
      <RouteTestPage
        wish={routeTestRoute.useSearch()}
        onWish={(search) => void navigate({ to: '/route-test', search })}
      />
    );
  }),
});

const topologyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/topology',
  validateSearch: topologyViewOf,
  component: showing(TopologyPage, function TopologyRoute() {
    const navigate = useNavigate();
    return (
      <TopologyPage
        view={topologyRoute.useSearch()}
        onView={(search) => void navigate({ to: '/topology', search })}
      />
    );
  }),
});

const trafficRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/traffic',
  validateSearch: (search: Search) => trafficViewOf(search),
  component: showing(TrafficPage, function TrafficRoute() {
    const navigate = useNavigate();
    return (
      <TrafficPage
        view={trafficRoute.useSearch()}
        onView={(search) => void navigate({ to: '/traffic', search })}
      />
    );
  }),
});

const requestsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/requests',
  validateSearch: (search: Search) => requestFilterOf(search),
  component: showing(RequestsPage, function RequestsRoute() {
    const navigate = useNavigate();
    return (
      <RequestsPage
        filter={requestsRoute.useSearch()}
        onFilter={(search) => void navigate({ to: '/requests', search, replace: true })}
      />
    );
  }),
});

const revisionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/revisions',
  validateSearch: revisionFilterOf,
  component: showing(RevisionsPage, function RevisionsRoute() {
    const navigate = useNavigate();
    return (
      <RevisionsPage
        filter={revisionsRoute.useSearch()}
        onFilter={(search) => void navigate({ to: '/revisions', search, replace: true })}
      />
    );
  }),
});

const revisionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/revisions/$number',
  validateSearch: revisionSearchOf,
  beforeLoad: ({ params }) => {
    if (!/^[1-9][0-9]{0,15}$/.test(params.number)) {
      throw notFound();
    }
  },
  component: showing(RevisionPage, function RevisionRoute() {
    const { from } = revisionRoute.useSearch();
    const number = Number(revisionRoute.useParams().number);
    return <RevisionPage key={number} number={number} from={from} />;
  }),
});

const usersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users',
  component: forRole('ADMIN', UsersPage),
});

const tokensRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tokens',
  component: forRole('ADMIN', TokensPage),
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
  component: showing(AuditPage, function AuditRoute() {
    const navigate = useNavigate();
    return (
      <RoleGate least="ADMIN">
        <AuditPage
          filter={auditRoute.useSearch()}
          onFilter={(search) => void navigate({ to: '/audit', search, replace: true })}
        />
      </RoleGate>
    );
  }),
});

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/$kind',
  validateSearch: resourceListSearchOf,
  beforeLoad: ({ params, search, context }) => {
    refuseUnknown(params.kind);
    // While the script of the page is on its way.
    ask(context.queryClient, listResources(kindFrom(params.kind), search));
  },
  component: showing(ResourceListPage, function ListRoute() {
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
  }),
});

const createResourceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/new/$kind',
  validateSearch: creationSearchOf,
  beforeLoad: ({ params }) => refuseUnknown(params.kind),
  component: showing(CreatePage, function CreateRoute() {
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
  }),
});

const resourceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/$kind/$id',
  validateSearch: resourceSearchOf,
  beforeLoad: ({ params }) => refuseUnknown(params.kind),
  component: showing(ResourcePage, function ResourceRoute() {
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
  }),
});

const upstreamHealthRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/upstreams/$id/health',
  validateSearch: nodeHistoryFilterOf,
  component: showing(UpstreamHealthPage, function UpstreamHealthRoute() {
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
  }),
});

export const routeTree = rootRoute.addChildren([
  loginRoute,
  shellRoute.addChildren([
    overviewRoute,
    exposeRoute,
    gatewaysRoute,
    gatewayConnectionsRoute,
    revisionsRoute,
    revisionRoute,
    usersRoute,
    tokensRoute,
    passwordRoute,
    auditRoute,
    analysisRoute,
    importRoute,
    stagedRoute,
    routeTestRoute,
    topologyRoute,
    trafficRoute,
    requestsRoute,
    createResourceRoute,
    listRoute,
    resourceRoute,
    upstreamHealthRoute,
  ]),
]);
