/** The host's log. */
export { write } from "portcullis:guest/log@0.1.0";
