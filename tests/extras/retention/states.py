"""What an app has to be given for the pages to say until when nights are kept."""

OPTIONS = {"keep_months": 12}
