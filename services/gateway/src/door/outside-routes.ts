import { outsidePath, type RouteContract } from '@cobro/contracts/route.ts';
import { mainContracts, partnerContracts, personContracts, platformContracts } from '@cobro/contracts/routes.ts';

/** A contract with its path as callers from outside know it: it begins with `/api`, except for the pages of the checkout. */
export type OutsideRoute = RouteContract;

const outside = (contract: RouteContract): OutsideRoute => ({ ...contract, path: outsidePath(contract) });

/** The API of merchants, terminals and paying customers, with the hosted checkout. */
export const mainRoutes: readonly OutsideRoute[] = mainContracts.map(outside);

/** The partner API, on a listener of its own. */
export const partnerRoutes: readonly OutsideRoute[] = partnerContracts.map(outside);

/** Routes of platform callers, on the dashboard's listener. */
export const platformRoutes: readonly OutsideRoute[] = platformContracts.map(outside);

/** Routes of both APIs that people may use, and routes for people alone, on the dashboard's listener. */
export const peopleRoutes: readonly OutsideRoute[] = [
  ...[...mainRoutes, ...partnerRoutes].filter(({ people }) => people !== undefined),
  ...personContracts.map(outside),
];

/** All routes of the dashboard's listener. */
export const dashboardRoutes: readonly OutsideRoute[] = [...peopleRoutes, ...platformRoutes];
