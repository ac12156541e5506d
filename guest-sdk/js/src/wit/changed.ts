/** The host's announcements. */
export { promptList, resourceContents, resourceList, toolList } from "portcullis:guest/changed@0.1.0";
