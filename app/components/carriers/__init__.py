"""What carries components to a browser; views, stages and controls name none of them."""
