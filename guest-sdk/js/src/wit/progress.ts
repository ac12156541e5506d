/** The host's progress notes. */
export { report } from "portcullis:guest/progress@0.1.0";
