import {
  IconArrowsSplit2,
  IconCertificate,
  IconDoorEnter,
  IconHistory,
  IconLayoutDashboard,
  IconRoute,
  IconSend,
  IconServer2,
  IconTopologyStar3,
  IconUsers,
  type Icon,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import classes from '@/app/navigation.module.css';
import { allKinds, capitalized, kinds, type Kind } from '@/lib/kinds';

const kindIcons: Readonly<Record<Kind, Icon>> = {
  'proxy-servers': IconDoorEnter,
  routers: IconArrowsSplit2,
  routes: IconRoute,
  'proxy-passes': IconSend,
  upstreams: IconServer2,
  certificates: IconCertificate,
  consumers: IconUsers,
};

export function Navigation() {
  return (
    <nav aria-label="Main">
      <Link to="/" className={classes.link} activeOptions={{ exact: true }}>
        <IconLayoutDashboard size={18} aria-hidden />
        Overview
      </Link>
      <p className={classes.group}>Traffic</p>
      {allKinds.map((kind) => {
        const KindIcon = kindIcons[kind];
        return (
          <Link
            key={kind}
            to="/$kind"
            params={{ kind }}
            className={classes.link}
            activeOptions={{ includeSearch: false }}
          >
            <KindIcon size={18} aria-hidden />
            {capitalized(kinds[kind].plural)}
          </Link>
        );
      })}
      <p className={classes.group}>Fleet</p>
      <Link to="/gateways" className={classes.link}>
        <IconTopologyStar3 size={18} aria-hidden />
        Gateways
      </Link>
      <Link to="/revisions" className={classes.link}>
        <IconHistory size={18} aria-hidden />
        Revisions
      </Link>
    </nav>
  );
}
