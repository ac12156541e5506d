/**
 * Announcements: something that clients can see is no longer what it was. The host announces it when the
 * call has ended. Before it announces a list, it lets the component describe itself again, which must give
 * what it gave before. Outside of a component, as in a test, nothing is announced.
 */
import { promptList, resourceContents, resourceList, toolList } from "#changed";

/** The tools are others now. */
export function tools(): void {
  toolList();
}

/** The resources, or templates of them, are others now. */
export function resources(): void {
  resourceList();
}

/** The prompts are others now. */
export function prompts(): void {
  promptList();
}

/** The contents of the resource at `uri`, which must be of this component, are others now. */
export function resource(uri: string): void {
  resourceContents(uri);
}
