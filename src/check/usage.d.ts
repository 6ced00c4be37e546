declare module '*/usage.txt' {
  const usage: string;
  export default usage;
}
