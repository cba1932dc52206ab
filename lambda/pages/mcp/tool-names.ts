/** The names of the tools, apart from their schemas, which are loaded when they are listed. */

export const toolNames = ['find_images', 'image_url', 'credits'] as const;
export type ToolName = (typeof toolNames)[number];
