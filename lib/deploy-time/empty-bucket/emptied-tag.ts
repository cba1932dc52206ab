/** The tag by which a bucket says that it goes with its stack. */

export const emptiedTag = { key: 'image-redirect:goes-with-its-stack', value: 'yes' } as const;
