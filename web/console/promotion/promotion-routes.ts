/** The pages of promotions below region and vertical (product.md, key 26). */

import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { onlyMeant } from '../only-meant.ts';
import { readListSearch } from '../set-up/list-search.ts';
import { readFormSearch } from '../set-up/set-up-routes.ts';

const page = lazyRouteComponent(() => import('./PromotionPage.tsx'), 'PromotionPage');

export const promotionRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/promotions',
      validateSearch: onlyMeant(readListSearch),
      component: lazyRouteComponent(() => import('./PromotionsPage.tsx'), 'PromotionsPage'),
    }),
    createRoute({ getParentRoute: () => parent, path: '/promotions/new', validateSearch: onlyMeant(readFormSearch), component: page }),
    createRoute({ getParentRoute: () => parent, path: '/promotions/$id', validateSearch: onlyMeant(readFormSearch), component: page }),
  ] as const;
