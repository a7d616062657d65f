"""What pages and the rules of access need alike: what a request is about, and a night at one moment."""
