/** Branded types, so that texts of different meaning are not mixed up. They cost nothing at run time. */

declare const brand: unique symbol;

/** A `T` that only the makers of the brand `B` give out; its declaration names them. */
export type Branded<T, B extends string> = T & { readonly [brand]: B };
