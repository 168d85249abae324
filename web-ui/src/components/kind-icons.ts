import {
  IconArrowsSplit2,
  IconCertificate,
  IconDoorEnter,
  IconRoute,
  IconSend,
  IconServer2,
  IconUsers,
  type Icon,
} from '@tabler/icons-react';
import type { Kind } from '@/lib/kinds';

export const kindIcons: Readonly<Record<Kind, Icon>> = {
  'proxy-servers': IconDoorEnter,
  routers: IconArrowsSplit2,
  routes: IconRoute,
  'proxy-passes': IconSend,
  upstreams: IconServer2,
  certificates: IconCertificate,
  consumers: IconUsers,
};
