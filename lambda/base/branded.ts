/** Branded types, so that texts of different meaning are not mixed up. They cost nothing at run time. */

declare const brand: unique symbol;

/**
 * A `T` that only the makers of the brand `B` give out. Each brand names its makers where it is declared.
 */
export type Branded<T, B extends string> = T & { readonly [brand]: B };
